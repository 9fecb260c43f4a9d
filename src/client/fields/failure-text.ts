import { CallError } from '#client/call.ts';

/** ORD-04: returns the error text that the order and repricer statistics show, word for word as specified. */
export function failureText(error: unknown): string {
  if (error instanceof CallError && error.status >= 300) return `HTTP error! Status: ${error.status}`;
  return error instanceof Error && error.message !== '' ? error.message : 'Unbekannter Fehler';
}
