#!/usr/bin/env node
import { startProcess } from './start-process.js';

await startProcess(process.argv.slice(2));
