/* global __ENV */

import http from 'k6/http'

export default function () { http.get(__ENV.URL) }

export function handleSummary ({ metrics: { http_reqs: requests, http_req_duration: { values }, http_req_failed: failed, data_received: data } }) {
  // `passes` are those that it says of that they failed.
  const figures = { count: requests.values.count, failed: failed.values.passes, bytes: data.values.count, p50: values.med, p99: values['p(99)'] }
  return { stdout: JSON.stringify(figures) }
}

export const options = { summaryTrendStats: ['med', 'p(99)'], insecureSkipTLSVerify: true }
