import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { roles } from '#shared/account/roles.ts';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf, fieldError } from '#client/failure.ts';
import { NewPasswordField } from '#client/ui/form/new-password-field.tsx';
import { focusPage } from './focus-page.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Target of an invitation link. The secret is behind #, so the server receives it only with this call. */
export default function Invitation() {
  const [invited, setInvited] = useState<AnswerOf<typeof api.readInvitation> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    call(api.readInvitation, { body: { token: location.hash.slice(1) } }).then(setInvited, (error: unknown) =>
      setFailure({ ...failureOf('Fehler beim Laden', error), title: 'Diese Einladung gilt nicht' }),
    );
  }, []);
  if (invited === null)
    return (
      <SignInFrame title={pages.invitation.title} failure={failure}>
        <p className="k-muted">
          {failure === null
            ? 'Ihre Einladung wird geladen.'
            : 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue.'}
        </p>
        <p className="k-small">
          <Link to={pages.login.path}>Zur Anmeldung</Link>
        </p>
      </SignInFrame>
    );
  return <Accept {...invited} />;
}

function Accept({ companyName, email, role }: AnswerOf<typeof api.readInvitation>) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ failure: Failure; error: unknown } | null>(null);
  const navigate = useNavigate();
  const accept = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      await call(api.acceptInvitation, { body: { token: location.hash.slice(1), name, password } });
      await navigate(pages.overview.path, { replace: true });
      focusPage();
    } catch (error) {
      const failure = { ...failureOf('Fehler beim Anlegen', error), title: 'Ihr Konto wurde nicht angelegt' };
      setFailed({ failure, error });
      setBusy(false);
    }
  };
  return (
    <SignInFrame
      title={`Willkommen bei ${companyName}`}
      failure={failed?.failure ?? null}
      onSubmit={(event) => void accept(event)}
    >
      <p className="k-muted">
        Sie sind mit der Rolle „{roles[role].label}“ eingeladen. Wählen Sie Ihren Namen und ein Passwort.
      </p>
      <TextInput label="E-Mail-Adresse" name="username" autoComplete="username" readOnly value={email} />
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        required
        withAsterisk={false}
        maxLength={100}
        value={name}
        error={fieldError(failed?.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NewPasswordField
        label="Passwort"
        value={password}
        onChange={setPassword}
        error={fieldError(failed?.error, 'password')}
      />
      <Button type="submit" loading={busy} fullWidth>
        Einladung annehmen
      </Button>
    </SignInFrame>
  );
}
