import { CallError } from '#client/call.ts';

/** ORD-04: what the statistics of orders and of the repricer say of a failure, word by word as specified. */
export function failureText(error: unknown): string {
  if (error instanceof CallError && error.status >= 300) return `HTTP error! Status: ${error.status}`;
  return error instanceof Error && error.message !== '' ? error.message : 'Unbekannter Fehler';
}
