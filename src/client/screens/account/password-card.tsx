import { Button, Checkbox } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { NewPasswordField } from '#client/ui/form/new-password-field.tsx';
import { PasswordField } from '#client/ui/form/password-field.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useFormFailure } from '#client/use-failure.ts';

const empty = { current: '', password: '', endOthers: true };

/** Changes the user's own password. */
export function PasswordCard({ email }: { email: string }) {
  const [form, setForm] = useState(empty);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useFormFailure();
  const { revalidate } = useRevalidator();
  const set = (changed: Partial<typeof form>) => setForm((now) => ({ ...now, ...changed }));
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      await call(api.changePassword, { body: form });
      setForm(empty);
      showSaved('Passwort geändert');
      await revalidate();
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Speichern', error), error });
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="passwort">
      <h2 id="passwort">Passwort</h2>
      <form className="k-stack" style={{ maxWidth: 420 }} onSubmit={(event) => void save(event)}>
        <ErrorNotice failure={failed?.failure ?? null} onClose={() => setFailed(null)} />
        {/* Tells password managers which account's password changes. */}
        <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
        <PasswordField
          label="Bisheriges Passwort"
          name="current-password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={form.current}
          error={fieldError(failed?.error, 'current')}
          onChange={({ currentTarget }) => set({ current: currentTarget.value })}
        />
        <NewPasswordField
          value={form.password}
          error={fieldError(failed?.error, 'password')}
          onChange={(password) => set({ password })}
        />
        <Checkbox
          label="Alle anderen Sitzungen beenden"
          checked={form.endOthers}
          onChange={({ currentTarget }) => set({ endOthers: currentTarget.checked })}
        />
        <Button type="submit" loading={busy} style={{ alignSelf: 'flex-start' }}>
          Passwort ändern
        </Button>
      </form>
    </section>
  );
}
