import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#shared/http/call.ts';
import { goneSignal } from '#platform/http/questions/turn-of-request.ts';
import type { BodyBudget } from './body-budget.ts';
import { isCompressed, refusePackedForm } from './body-parsers.ts';

/** Smaller bodies need no reservation, however many there are. */
const SMALL = 64 * 1024;

/**
 * Waits for room before any byte of a large body is read; the room is freed when the response closes. Uploaded files need none,
 * as they are never held whole.
 */
export async function waitForRoom(
  budget: BodyBudget,
  { call, company }: { call: Call; company: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  refusePackedForm(request);
  if (call.body === undefined) return;
  const { headers, routeOptions } = request;
  const most = routeOptions.bodyLimit ?? Infinity;
  const announced = Number(headers['content-length'] ?? 0);
  // A body above the call's limit is refused without being read.
  if (announced > most) return;
  // A chunked body does not announce its length, and a compressed one not its real length.
  const length = headers['transfer-encoding'] !== undefined || isCompressed(request) ? most : announced;
  if (length <= SMALL) return;
  const leave = await budget.take(company, length, goneSignal(reply));
  if (reply.raw.closed) leave();
  else reply.raw.once('close', leave);
}
