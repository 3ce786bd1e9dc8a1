export { TypedEvents, type Unsubscribe } from './typed-events.js';
