'use strict'

const t = require('tap')
const { quotaGroups, throttledMs } = require('../../lib/machine/cgroup')
const { machineOf } = require('../../lib/machine/machine')

/** @param {Record<string, string>} files */
const reading = files => path => files[path] ?? null

t.test('the quota is that of the own control group or of one above it', async t => {
  for (const [what, files, groups] of /** @type {Array<[string, Record<string, string>, any[]]>} */ ([
    ['nothing is known', {}, []],
    ['no quota', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, []],
    ['version 2', { '/proc/self/cgroup': '0::/a/b\n', '/sys/fs/cgroup/a/b/cpu.max': 'max 100000\n', '/sys/fs/cgroup/a/cpu.max': '150000 100000\n' }, [{ folder: '/sys/fs/cgroup/a', cores: 1.5 }]],
    ['in a container, which sees its group as the root', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '50000 100000\n' }, [{ folder: '/sys/fs/cgroup', cores: 0.5 }]],
    ['version 1', { '/proc/self/cgroup': '4:memory:/m\n2:cpu,cpuacct:/docker/1\n', '/sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_quota_us': '-1\n', '/sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_period_us': '100000\n', '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '200000\n', '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n' }, [{ folder: '/sys/fs/cgroup/cpu,cpuacct', cores: 2 }]],
    ['nonsense', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '0 0\n' }, []]
  ])) t.strictSame(quotaGroups(reading(files)), groups, what)
})

t.test('throttled time is ms in both versions', async t => {
  t.equal(throttledMs('nr_periods 5\nnr_throttled 2\nthrottled_usec 1500\n'), 1.5)
  t.equal(throttledMs('nr_periods 5\nnr_throttled 2\nthrottled_time 1500000\n'), 1.5)
  t.equal(throttledMs(null), 0)
  t.equal(throttledMs('usage_usec 7\n'), 0)
})

t.test('a machine is virtual, a container, or neither as far as is known', async t => {
  const none = { governor: null, quota: null, virtualization: null }
  for (const [files, machine] of /** @type {Array<[Record<string, string>, object]>} */ ([
    [{}, {}],
    [{ '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n', '/proc/cpuinfo': 'processor : 0\nflags\t\t: fpu vme\n' }, { governor: 'powersave' }],
    [{ '/proc/cpuinfo': 'processor : 0\nflags\t\t: fpu hypervisor vme\n' }, { virtualization: 'vm' }],
    [{ '/sys/class/dmi/id/sys_vendor': 'Amazon EC2\n' }, { virtualization: 'vm' }],
    [{ '/.dockerenv': '' }, { virtualization: 'container' }],
    [{ '/sys/class/dmi/id/product_name': 'KVM\n', '/proc/self/cgroup': '0::/kubepods/x\n', '/sys/fs/cgroup/kubepods/x/cpu.max': '25000 100000\n', '/sys/fs/cgroup/kubepods/cpu.max': '400000 100000\n' }, { virtualization: 'vm, container', quota: 0.25 }]
  ])) t.strictSame(machineOf(reading(files)), { ...none, ...machine })
})
