'use strict'

// Properties of the machine that add noise or explain differences: cores, frequency governor, container quota and
// virtualisation. A function of files of Linux; on other systems only the cores are known.

const { quotaGroups } = require('./cgroup')

/**
 * @typedef {object} Machine null: none, or not known
 * @property {string | null} governor how the frequency of the cores is chosen, such as `powersave`
 * @property {number | null} quota cores that its control group may use
 * @property {string | null} virtualization `vm`, `container`, or `vm, container`
 */

const GOVERNOR = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'
const PRODUCTS = ['/sys/class/dmi/id/product_name', '/sys/class/dmi/id/sys_vendor']
/** Names of hypervisors in the DMI table. */
const HYPERVISORS = new RegExp('\\b(?:KVM|QEMU|VMware|VirtualBox|Xen|Bochs|Parallels|BHYVE|Firecracker|Amazon EC2|' +
    'Google Compute Engine|Virtual Machine|OpenStack|Droplet)\\b', 'i')
/** In the paths of control groups. */
const CONTAINERS = /docker|kubepods|containerd|libpod|lxc/

/** @type {(read: import('./cgroup').Read) => Machine} */
function machineOf (read) {
  const quotas = quotaGroups(read).map(({ cores }) => cores)
  const isVirtual = /^flags\s*:.*\bhypervisor\b/m.test(read('/proc/cpuinfo') ?? '') ||
    HYPERVISORS.test(PRODUCTS.map(path => read(path) ?? '').join(' '))
  const isContainer = ['/.dockerenv', '/run/.containerenv'].some(path => read(path) !== null) ||
    CONTAINERS.test(read('/proc/self/cgroup') ?? '')
  return {
    governor: read(GOVERNOR)?.trim() || null,
    quota: quotas.length === 0 ? null : Number(Math.min(...quotas).toFixed(2)),
    virtualization: [...isVirtual ? ['vm'] : [], ...isContainer ? ['container'] : []].join(', ') || null
  }
}

module.exports = { machineOf }
