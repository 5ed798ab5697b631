declare module 'hdr-histogram-percentiles-obj' {
  export const percentiles: number[]
}
