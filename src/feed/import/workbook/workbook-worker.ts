import { z } from 'zod';
import { answerFromThread } from '#platform/run-in-thread.ts';
import { packedTables } from './packed-file.ts';

// Reads one workbook or ZIP archive on a thread of its own (workbook-reader.ts).
await answerFromThread((data) => packedTables(z.instanceof(Uint8Array).parse(data)));
