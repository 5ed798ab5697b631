// A rate of requests. The figures go to stdout as JSON.

/* global __ENV */
import http from 'k6/http'

export const options = {
  scenarios: { load: { executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration: `${__ENV.SECONDS}s`, preAllocatedVUs: Number(__ENV.CONNECTIONS) } },
  summaryTrendStats: ['med', 'avg', 'max', 'count', 'p(97.5)', 'p(99)', 'p(99.9)']
}

export default () => { http.get(__ENV.URL) }

export const handleSummary = ({ metrics }) => ({ stdout: JSON.stringify(metrics.http_req_duration.values) })
