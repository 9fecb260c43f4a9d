import { z } from 'zod';
import { answerFromThread } from '#platform/run-in-thread.ts';
import { workbookTables } from './workbook-tables.ts';

// Reads one workbook on a thread of its own (workbook-reader.ts).
await answerFromThread((data) => workbookTables(z.instanceof(Uint8Array).parse(data)));
