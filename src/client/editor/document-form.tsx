import { Button } from '@mantine/core';
import IconArrowBackUp from 'virtual:icons/arrow-back-up';
import type { ReactNode } from 'react';
import { Remedy } from '#client/ui/notices.tsx';
import { DocumentFields } from './document-fields.tsx';
import { DocumentGuard } from './document-guard.tsx';
import type { FormPlace } from '#client/leaving/leaves-form.ts';
import type { DocumentShape } from './document-shape.ts';
import { goToUnread } from '#client/ui/form/unread-field.ts';
import { unsavedWords } from '#client/ui/text/unsaved-words.ts';
import type { DocumentEditor } from './use-document.ts';

type DocumentFormProps<D> = Pick<FormPlace, 'leftBy'> & {
  editor: DocumentEditor<D>;
  shape: DocumentShape<D>;
  label: string;
  mayEdit: boolean;
  children: ReactNode;
};

/** HDR-06: a form with a save of its own; the server's objections are shown in its output element. */
export function DocumentForm<D>({ editor, shape, label, mayEdit, leftBy, children }: DocumentFormProps<D>) {
  const { failure, busy, save } = editor;
  return (
    <DocumentFields editor={editor}>
      <form
        className="k-stack"
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!goToUnread(event.currentTarget)) void save();
        }}
      >
        <fieldset disabled={!mayEdit} className="k-stack" style={{ border: 0, margin: 0, padding: 0 }}>
          {children}
        </fieldset>
        <output className="k-message" style={{ color: 'var(--k-error)' }} role="alert">
          {failure?.message}
          {failure?.remedy !== undefined && <Remedy {...failure.remedy} />}
        </output>
        {mayEdit && (
          <div className="k-row">
            <Button type="submit" loading={busy}>
              Speichern
            </Button>
            <UnsavedNote editor={editor} />
          </div>
        )}
        <DocumentGuard
          editor={editor}
          shape={shape}
          leftBy={leftBy}
          onResolve={(resolution) => void editor.resolve(resolution, null)}
        />
      </form>
    </DocumentFields>
  );
}

/** Shown next to the save button: how much is unsaved, and a button that discards it. */
export function UnsavedNote<D>({ editor }: { editor: DocumentEditor<D> }) {
  const { dirty, changes, busy, discard } = editor;
  return (
    <>
      {dirty && (
        <Button
          variant="subtle"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          disabled={busy}
          onClick={() => discard(null)}
        >
          Verwerfen
        </Button>
      )}
      <span role="status" className="k-muted k-small">
        {dirty ? unsavedWords(changes) : ''}
      </span>
    </>
  );
}
