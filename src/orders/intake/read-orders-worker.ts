import { z } from 'zod';
import { answerFromThread } from '#platform/run-in-thread.ts';
import { orderUpload } from './order-upload.ts';

// Reads one large file of orders on a thread of its own (order-upload.ts).
await answerFromThread((data) => orderUpload.read(z.instanceof(Uint8Array).parse(data)));
