export { ArgumentValidator } from './argument-validator.js';
