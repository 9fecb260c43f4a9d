import { Button } from '@mantine/core';
import type { SaveFailure } from './save-failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';

type SaveFailureNoticeProps = {
  failure: SaveFailure | null;
  onClose: () => void;
  onReload: () => void;
  onSaveAnyway: () => void;
};

/** A failed save; where somebody else saved in between, the two ways on. */
export function SaveFailureNotice({ failure, onClose, onReload, onSaveAnyway }: SaveFailureNoticeProps) {
  return (
    <ErrorNotice failure={failure} onClose={onClose}>
      {failure?.conflict === true && (
        <div className="k-row" style={{ marginTop: 8 }}>
          <Button size="xs" variant="default" onClick={onReload}>
            Neu laden und meine Änderungen verwerfen
          </Button>
          <Button size="xs" variant="default" onClick={onSaveAnyway}>
            Meinen Stand trotzdem speichern
          </Button>
        </div>
      )}
    </ErrorNotice>
  );
}
