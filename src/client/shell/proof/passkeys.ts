import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { PasskeyCancelled } from '#client/failure.ts';

/** Lets the browser ask for a passkey of this site. @throws PasskeyCancelled; CallError as `call` does */
export async function answerWithPasskey() {
  const { ticket, options } = await call(api.passkeyQuestion);
  const answer = await startAuthentication({ optionsJSON: options }).catch(cancelled);
  return { ticket, answer };
}

/** Lets the browser make a passkey for this account and keeps it under a name. @throws PasskeyCancelled; CallError as `call` does */
export async function makePasskey(name: string) {
  const { ticket, options } = await call(api.newPasskeyQuestion);
  const answer = await startRegistration({ optionsJSON: options }).catch(cancelled);
  return call(api.addPasskey, { body: { ticket, name, answer } });
}

function cancelled(error: unknown): never {
  throw new PasskeyCancelled('Der Browser hat keinen Passkey übergeben. Bitte versuchen Sie es erneut.', {
    cause: error,
  });
}
