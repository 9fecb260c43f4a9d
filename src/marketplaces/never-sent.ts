/** Errors before a connection was open: nothing was sent, so nothing can have happened. */
const codes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH']);

/** Whether a failed call cannot have reached the marketplace: a price that it carried was not set. */
export function neverSent(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if ('code' in inner && typeof inner.code === 'string' && codes.has(inner.code)) return true;
  return false;
}
