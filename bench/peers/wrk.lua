-- The figures of wrk as a line of JSON, latencies in ms. What it calls a timeout is a response that took longer than 2 s.
done = function (summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"bytes":%d,"failed":%d,"p50":%.3f,"p97_5":%.3f,"p99":%.3f,"p99_9":%.3f,"mean":%.3f,"max":%.3f}\n',
    summary.requests, summary.bytes, errors.connect + errors.read + errors.write + errors.status, latency:percentile(50) / 1000, latency:percentile(97.5) / 1000,
    latency:percentile(99) / 1000, latency:percentile(99.9) / 1000, latency.mean / 1000, latency.max / 1000))
end
