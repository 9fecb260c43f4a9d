/**
 * Makes a key for one opened form, so that it is carried out once however often it is
 * sent. Without https, `randomUUID` is missing.
 */
export function formKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
