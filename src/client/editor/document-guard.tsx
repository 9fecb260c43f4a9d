import { ConflictDialog } from './conflict-dialog.tsx';
import type { DocumentShape } from './document-shape.ts';
import type { Foreign, Resolution } from './document-state.ts';
import type { FormPlace } from '#client/leaving/leaves-form.ts';
import { useGoToUnread } from '#client/ui/form/unread-field.ts';
import { UnsavedGuard } from '#client/leaving/unsaved-guard.tsx';

type DocumentGuardProps<D> = FormPlace & {
  editor: {
    draft: D;
    stored: D;
    dirty: boolean;
    foreign: Foreign<D> | null;
    saveAll: () => Promise<boolean>;
    closeConflict: () => void;
  };
  shape: DocumentShape<D>;
  onResolve: (resolution: Resolution) => void;
};

/**
 * The two dialogs that every editor has: the one before leaving with unsaved changes, and the one for a save that came second.
 */
export function DocumentGuard<D>({ editor, shape, onResolve, ...place }: DocumentGuardProps<D>) {
  const { draft, stored, dirty, foreign, saveAll, closeConflict } = editor;
  const goToUnread = useGoToUnread();
  return (
    <>
      <UnsavedGuard dirty={dirty} onSave={async () => !goToUnread() && (await saveAll())} {...place} />
      {foreign !== null && (
        <ConflictDialog
          shape={shape}
          base={stored}
          mine={draft}
          foreign={foreign}
          onResolve={onResolve}
          onClose={closeConflict}
        />
      )}
    </>
  );
}
