#!/usr/bin/env node
'use strict'

require('../lib/cli/main').command(process.argv.slice(2))
