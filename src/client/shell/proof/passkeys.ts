import { NewPasskeyAnswer, PasskeyAnswer } from '#shared/account/factors.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { PasskeyCancelled } from '#client/failure.ts';

/** Lets the browser ask for a passkey of this site. @throws PasskeyCancelled; CallError as `call` does */
export async function answerWithPasskey() {
  const { ticket, options } = await call(api.passkeyQuestion);
  const credential = await askBrowser(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
  return { ticket, answer: PasskeyAnswer.parse(credential) };
}

/** Lets the browser make a passkey for this account and keeps it under a name. @throws PasskeyCancelled; CallError as `call` does */
export async function makePasskey(name: string) {
  const { ticket, options } = await call(api.newPasskeyQuestion);
  const credential = await askBrowser(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
  return call(api.addPasskey, { body: { ticket, name, answer: NewPasskeyAnswer.parse(credential) } });
}

/**
 * Returns the browser's credential as JSON. A browser without passkeys, a cancelled prompt and a refusal give the same error; a
 * device that already holds a passkey of this account gives its own, because trying again would not help.
 */
async function askBrowser(ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
    throw new Error('The browser returned no passkey.');
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'InvalidStateError')
      throw new PasskeyCancelled(
        'Auf diesem Gerät gibt es schon einen Passkey für Ihr Konto. Es wurde keiner angelegt. Melden Sie sich mit dem vorhandenen an, oder nehmen Sie ein anderes Gerät.',
        { cause },
      );
    throw new PasskeyCancelled('Der Browser hat keinen Passkey übergeben. Bitte versuchen Sie es erneut.', { cause });
  }
}
