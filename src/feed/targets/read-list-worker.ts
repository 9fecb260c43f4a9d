import { z } from 'zod';
import { answerFromThread } from '#platform/run-in-thread.ts';
import { listUpload } from './list-upload.ts';

// Reads one large list of a channel on a thread of its own (list-upload.ts).
await answerFromThread((data) => listUpload.read(z.instanceof(Uint8Array).parse(data)));
