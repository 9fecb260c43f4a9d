import { Button } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { Call } from '#shared/http/call.ts';
import { callForm } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { showSaved } from '#client/ui/notices.tsx';

type FormSaveProps = {
  /** A save of the wire that takes forms. */
  to: Call;
  params: Record<string, string>;
  label: string;
  mayEdit: boolean;
  onSaved: () => void;
  /** Further buttons beside the one that saves. */
  actions?: ReactNode;
  children: ReactNode;
};

/** HDR-06: a form that goes out as browsers send forms; what the server says against it stands in its output element. */
export function FormSave({ to, params, label, mayEdit, onSaved, actions, children }: FormSaveProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const save = async (body: FormData) => {
    try {
      await callForm(to, params, body);
      showSaved('Gespeichert');
      onSaved();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error).message);
    }
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = new FormData(event.currentTarget);
    setBusy(true);
    setFailure('');
    void save(body).finally(() => setBusy(false));
  };
  return (
    <form className="k-stack" aria-label={label} noValidate onSubmit={submit}>
      <fieldset disabled={!mayEdit} className="k-stack" style={{ border: 0, margin: 0, padding: 0 }}>
        {children}
      </fieldset>
      <output style={{ color: 'var(--k-error)' }} role="alert">
        {failure}
      </output>
      {mayEdit && (
        <div className="k-row">
          <Button type="submit" loading={busy}>
            Speichern
          </Button>
          {actions}
        </div>
      )}
    </form>
  );
}
