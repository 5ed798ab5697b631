#!/usr/bin/env node
'use strict'

require('../lib/cli/main').start(process.argv.slice(2))
