/* global __ENV */

import { WebSocket } from 'k6/websockets'

/** A message goes out when the one before has come back. */
export default function () {
  const socket = new WebSocket(__ENV.URL)
  const end = Date.now() + Number(__ENV.SECONDS) * 1000
  socket.addEventListener('open', () => socket.send(__ENV.MESSAGE))
  socket.addEventListener('message', () => {
    if (Date.now() < end) socket.send(__ENV.MESSAGE)
    else socket.close()
  })
}

export function handleSummary ({ metrics: { ws_msgs_received: messages, ws_session_duration: sessions, data_received: data } }) {
  const figures = { count: messages.values.count, failed: 0, bytes: data.values.count, seconds: sessions.values.max / 1000 }
  return { stdout: JSON.stringify(figures) }
}

export const options = { summaryTrendStats: ['max'] }
