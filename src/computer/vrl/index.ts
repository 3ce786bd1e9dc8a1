export { transformResult, type ResultToTransform } from './transform-result.js';
export { VrlError, type VrlErrorKind } from './vrl-error.js';
export { type VrlLimits } from './vrl-limits.js';
export { type VrlProblem } from './vrl-problem.js';
export { VrlRunner, type VrlRunnerOptions } from './vrl-runner.js';
