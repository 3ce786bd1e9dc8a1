import { z } from 'zod';
import { parseDuration } from '../duration.js';

const DURATION = { error: 'expected seconds or an ISO 8601 duration such as "PT30S"' };

/** A duration as configurations write it. Protocol §7.1. */
export const durationSchema = z
  .union([z.number(), z.string()], DURATION)
  .refine((value) => parseDuration(value) !== undefined, DURATION);
