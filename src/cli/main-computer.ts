#!/usr/bin/env node
import { startProcess } from './start-process.js';

await startProcess(['computer', ...process.argv.slice(2)]);
