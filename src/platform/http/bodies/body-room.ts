import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#shared/http/call.ts';
import { goneSignal } from '#platform/http/questions/turn-of-request.ts';
import type { BodyBudget } from './body-budget.ts';
import { isPacked, refusePackedForm } from './body-parsers.ts';

/** Smaller bodies are no burden, however many there are. */
const SMALL = 64 * 1024;

/** Waits, before anything of a large body is read, until there is room for it; it is left with the answer. Files are never held whole. */
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
  // What is too long for its call is refused without being read.
  if (announced > most) return;
  // A body in pieces does not say how long it will be, and a packed one not how long it becomes.
  const length = headers['transfer-encoding'] !== undefined || isPacked(request) ? most : announced;
  if (length <= SMALL) return;
  const leave = await budget.take(company, length, goneSignal(reply));
  if (reply.raw.closed) leave();
  else reply.raw.once('close', leave);
}
