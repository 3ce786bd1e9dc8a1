#!/usr/bin/env node
import { startProcess } from './start-process.js';

await startProcess(['server', ...process.argv.slice(2)]);
