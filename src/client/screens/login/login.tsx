import { Button, TextInput } from '@mantine/core';
import IconFingerprint from 'virtual:icons/fingerprint';
import { type SyntheticEvent, useState } from 'react';
import { Link, type LoaderFunctionArgs, redirect, useLoaderData, useNavigate, useSearchParams } from 'react-router';
import type { FactorWanted } from '#shared/account/factors.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { askOver, call, CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { safeBack } from '#client/loading.ts';
import { answerWithPasskey } from '#client/shell/proof/passkeys.ts';
import { servicesContext } from '#client/server-context.ts';
import { PasswordField } from '#client/ui/form/password-field.tsx';
import { focusPage } from './focus-page.ts';
import { SecondStep } from './second-step.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** In a window opened from a form, there is nowhere to go but back to the form. */
const isBesideForm = (search: URLSearchParams): boolean => search.has('fenster');

/** Users who are already signed in need no form. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  try {
    await askOver(context.get(servicesContext).fetchApi)(api.session);
  } catch (error) {
    if (error instanceof CallError) return { signedIn: false };
    throw error;
  }
  const { searchParams } = new URL(request.url);
  return isBesideForm(searchParams) ? { signedIn: true } : redirect(safeBack(searchParams.get('zurueck')));
}

export default function Login() {
  const loaded = useLoaderData<typeof loader>();
  const [done, setDone] = useState(false);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [wanted, setWanted] = useState<FactorWanted | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [search] = useSearchParams();
  const navigate = useNavigate();

  const proceed = async () => {
    if (isBesideForm(search)) {
      setDone(true);
      window.close();
      return;
    }
    await navigate(safeBack(search.get('zurueck')), { replace: true });
    focusPage();
  };
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure({ ...failureOf('Fehler beim Anmelden', error), title: 'Die Anmeldung war nicht möglich' });
    } finally {
      setBusy(false);
    }
  };
  const signIn = async (event: SyntheticEvent) => {
    event.preventDefault();
    await attempt(async () => {
      const answer = await call(api.signIn, { body: { email, password } });
      if ('ticket' in answer) setWanted(answer);
      else await proceed();
    });
  };
  const signInByPasskey = () =>
    attempt(async () => {
      await call(api.signInPasskey, { body: await answerWithPasskey() });
      await proceed();
    });

  if (done || loaded.signedIn) return <SignedIn />;
  if (wanted !== null)
    return (
      <SecondStep
        wanted={wanted}
        failure={failure}
        busy={busy}
        onCode={(code) =>
          attempt(async () => {
            await call(api.signInFactor, { body: { ticket: wanted.ticket, code } });
            await proceed();
          })
        }
        onPasskey={signInByPasskey}
        onBack={() => {
          setWanted(null);
          setPassword('');
          setFailure(null);
        }}
      />
    );
  return (
    <SignInFrame title={pages.login.title} failure={failure} onSubmit={(event) => void signIn(event)}>
      <TextInput
        label="E-Mail-Adresse"
        type="email"
        name="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordField
        label="Passwort"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy} fullWidth>
        Anmelden
      </Button>
      <Button
        variant="default"
        fullWidth
        disabled={busy}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={() => void signInByPasskey()}
      >
        Mit Passkey anmelden
      </Button>
      <p className="k-small">
        <Link to={pages.forgotPassword.path}>Passwort vergessen?</Link>
      </p>
    </SignInFrame>
  );
}

/** Browsers close only windows without further history; in any other window this text remains. */
function SignedIn() {
  return (
    <SignInFrame title="Sie sind angemeldet">
      <p>
        Sie können dieses Fenster schließen. Ihre Eingaben stehen noch im Formular; bitte senden Sie es dort erneut.
      </p>
    </SignInFrame>
  );
}
