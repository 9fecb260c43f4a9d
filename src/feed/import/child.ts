import { z } from 'zod';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { joinPartsInThisProcess } from '#feed/import/reader/parts/join-parts.ts';
import { joinRequestSchema, planPartsRequestSchema } from '#feed/import/reader/parts/orders.ts';
import { planPartsInThisProcess } from '#feed/import/reader/parts/plan-parts.ts';
import { type ImportHooks, importRequestSchema } from '#feed/import/reader/request.ts';

/**
 * Entry of the child process that parses one file. It receives the request from its parent by IPC, sends progress and the
 * result, and exits. It also exits when the parent disconnects.
 */
const orderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('import'), request: importRequestSchema }),
  z.object({ type: z.literal('plan-parts'), request: planPartsRequestSchema }),
  z.object({ type: z.literal('join-parts'), request: joinRequestSchema }),
]);
export type ReaderOrder = z.infer<typeof orderSchema>;

async function resultOf(order: ReaderOrder, hooks: ImportHooks): Promise<unknown> {
  if (order.type === 'import') return importInThisProcess(order.request, hooks);
  if (order.type === 'plan-parts') return planPartsInThisProcess(order.request, hooks);
  return joinPartsInThisProcess(order.request, hooks);
}

function send(message: unknown): void {
  if (process.connected) process.send?.(message);
}

process.on('disconnect', () => process.exit(2));
process.once('message', (message: unknown) => {
  const order = orderSchema.parse(message);
  resultOf(order, { onProgress: (progress) => send({ type: 'progress', progress }) })
    .then((result) => process.send?.({ type: 'result', result }, () => process.exit(0)))
    .catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ type: 'fault', text }, () => process.exit(1));
    });
});
