import { z } from 'zod';
import { readOrderFile } from '#orders/files/order-file.ts';
import { answerFromThread } from '#platform/run-in-thread.ts';

// Reads one large file of orders on a thread of its own (read-orders.ts).
answerFromThread((data) => readOrderFile(z.instanceof(Uint8Array).parse(data)));
