import { Button } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf, fieldError } from '#client/failure.ts';
import { NewPasswordField } from '#client/ui/form/new-password-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Target of a password link in an e-mail. It does not sign in, so the second factor is still required. */
export default function NewPassword() {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const [failed, setFailed] = useState<{ failure: Failure; error: unknown } | null>(null);
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      await call(api.resetPassword, { body: { token: location.hash.slice(1), password } });
      setSaved(true);
    } catch (error) {
      const failure = { ...failureOf('Fehler beim Speichern', error), title: 'Das Passwort wurde nicht geändert' };
      setFailed({ failure, error });
    } finally {
      setBusy(false);
    }
  };
  if (saved)
    return (
      <SignInFrame title="Ihr neues Passwort gilt">
        <p>Alle Sitzungen Ihres Kontos sind beendet. Bitte melden Sie sich mit dem neuen Passwort an.</p>
        <Button component={Link} to={pages.login.path} fullWidth>
          Zur Anmeldung
        </Button>
      </SignInFrame>
    );
  return (
    <SignInFrame
      title={pages.newPassword.title}
      failure={failed?.failure ?? null}
      onSubmit={(event) => void save(event)}
    >
      <NewPasswordField value={password} onChange={setPassword} error={fieldError(failed?.error, 'password')} />
      <Button type="submit" loading={busy} fullWidth>
        Passwort speichern
      </Button>
      <p className="k-small">
        <Link to={pages.forgotPassword.path}>Neuen Link anfordern</Link>
      </p>
    </SignInFrame>
  );
}
