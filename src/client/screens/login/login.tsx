import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { askOver, call, CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { safeBack } from '#client/loading.ts';
import { servicesContext } from '#client/server-context.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import classes from './login.module.css';

/** In a window that was opened beside a form: there is nowhere to go on to but back to the form. */
const isBesideForm = (search: URLSearchParams): boolean => search.has('fenster');

/** Who is signed in already needs no form. */
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
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [search] = useSearchParams();
  const navigate = useNavigate();

  const signIn = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await call(api.signIn, { body: { email, password } });
      if (isBesideForm(search)) {
        setDone(true);
        window.close();
        return;
      }
      await navigate(safeBack(search.get('zurueck')), { replace: true });
    } catch (error) {
      setFailure({ ...failureOf('Fehler beim Anmelden', error), title: 'Die Anmeldung war nicht möglich' });
    } finally {
      setBusy(false);
    }
  };

  if (done || loaded.signedIn) return <SignedIn />;
  return (
    <main id="inhalt" className={classes.page}>
      <title>Anmelden · Kontor</title>
      <form className={classes.form} method="post" onSubmit={(event) => void signIn(event)}>
        <div>
          <p className={classes.brand}>Kontor</p>
          <h1>Anmelden</h1>
        </div>
        <ErrorNotice failure={failure} />
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
        <PasswordInput
          label="Passwort"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{
            'aria-label': 'Passwort anzeigen oder verbergen',
            tabIndex: 0,
            'aria-hidden': false,
          }}
        />
        <Button type="submit" loading={busy} fullWidth>
          Anmelden
        </Button>
      </form>
    </main>
  );
}

/** Browsers close only windows that went nowhere else; in any other one this stands. */
function SignedIn() {
  return (
    <main id="inhalt" className={classes.page}>
      <title>Angemeldet · Kontor</title>
      <div className={classes.form} role="status">
        <h1>Sie sind angemeldet</h1>
        <p>
          Sie können dieses Fenster schließen. Ihre Eingaben stehen noch im Formular; bitte senden Sie es dort erneut.
        </p>
      </div>
    </main>
  );
}
