import { z } from 'zod';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { importRequestSchema } from '#feed/import/reader/request.ts';

/**
 * Entry of the child process that parses one file. It receives the request from its parent by IPC, sends progress and the
 * result, and exits. It also exits when the parent disconnects.
 */
const orderSchema = z.object({ type: z.literal('import'), request: importRequestSchema });

function send(message: unknown): void {
  if (process.connected) process.send?.(message);
}

process.on('disconnect', () => process.exit(2));
process.once('message', (message: unknown) => {
  const order = orderSchema.parse(message);
  importInThisProcess(order.request, { onProgress: (progress) => send({ type: 'progress', progress }) })
    .then((result) => process.send?.({ type: 'result', result }, () => process.exit(0)))
    .catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ type: 'fault', text }, () => process.exit(1));
    });
});
