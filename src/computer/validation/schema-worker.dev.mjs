// Starts schema-worker.ts where the .ts files are run as they are: a worker does not get the loader of its parent.
import { register } from 'tsx/esm/api';

register();
await import('./schema-worker.ts');
