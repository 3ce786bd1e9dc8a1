export { backoffDelay } from './backoff.js';
export { type OfficeConnectionOptions, type TransportName } from './connection-options.js';
export {
  ConnectionError,
  JoinRefusedError,
  PacketTooLargeError,
  RequestTimeoutError,
  UnsendablePayloadError,
} from './errors.js';
export { connectionProblem, HttpWays, type HttpWaysOptions } from './http-ways.js';
export { type WaitOptions } from './link.js';
export { type Membership } from './membership.js';
export { linkedSignal, type LinkedSignal } from './linked-signal.js';
export { loadLibrary } from './load-library.js';
export {
  networkSettings,
  othersNetwork,
  proxyLabel,
  type ChooseProxy,
  type NetworkOptions,
  type NetworkSettings,
} from './network.js';
export { nodeProcess } from './node-builtins.js';
export { OfficeConnection, type IncomingHandler, type OfficeConnectionEvents } from './office-connection.js';
export { packetBytes } from './packet-size.js';
export { withPrivateNetworks } from './private-networks.js';
export { openRoute, proxyAgent, type Route } from './route.js';
export { describeCode } from './tls-problem.js';
export { TypedEvents, type Unsubscribe } from './typed-events.js';
export { abortable, delay, reasonOf } from './wait.js';
