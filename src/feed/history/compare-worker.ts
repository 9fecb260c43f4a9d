import { z } from 'zod';
import { answerFromThread } from '#platform/run-in-thread.ts';
import { subjectNames } from '#shared/history/schema.ts';
import { comparison } from './comparison.ts';

const States = z.object({ subject: z.enum(subjectNames), before: z.string().optional(), after: z.string() });

// Runs one comparison on a thread of its own: two tables of 100,000 rows take seconds to read.
await answerFromThread((data) => {
  const { subject, before, after } = States.parse(data);
  return comparison(subject, before, after);
});
