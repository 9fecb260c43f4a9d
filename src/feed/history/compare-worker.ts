import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { subjectNames } from '#shared/history/schema.ts';
import { comparison } from './comparison.ts';

// Runs one comparison on a thread of its own: two tables of 100,000 rows take seconds to read.
const { subject, before, after } = z
  .object({ subject: z.enum(subjectNames), before: z.string().optional(), after: z.string() })
  .parse(workerData);
parentPort?.postMessage(comparison(subject, before, after));
