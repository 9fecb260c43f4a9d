import { Button } from '@mantine/core';
import IconPhotoSearch from 'virtual:icons/photo-search';
import { useRevalidator } from 'react-router';
import { rolesWith } from '#shared/account/roles.ts';
import { api } from '#shared/http/api.ts';
import type { ImagesState } from '#shared/diagnosis/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { RunProgress } from '#client/fields/runs/run-progress.tsx';
import { isUnderWay } from '#client/fields/runs/run-words.ts';
import { queuedRun, useRun } from '#client/fields/runs/use-run.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { useFailure } from '#client/use-failure.ts';
import { imageWords } from './image-words.ts';

/** How many pictures of the last run are checked, and the button that continues. */
export function Images({ id, images }: { id: string; images: ImagesState }) {
  const mayRun = useMay('run');
  const { revalidate } = useRevalidator();
  const first = images.running === null ? null : queuedRun(images.running, 'images', id);
  const { run, lost, follow } = useRun(first, revalidate);
  const [failure, setFailure] = useFailure();
  const underWay = run !== null && isUnderWay(run);

  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const { runid } = await call(api.checkImages, { params: { id } });
      follow(queuedRun(runid, 'images', id));
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
  });
  return (
    <section className="k-card k-stack" aria-labelledby="bilder">
      <div className="k-between">
        <div>
          <h2 id="bilder">Bilder</h2>
          <p className="k-muted k-small" role="status">
            {imageWords(images)}
          </p>
        </div>
        {mayRun && (
          <Button
            variant="default"
            leftSection={<IconPhotoSearch size={16} aria-hidden />}
            loading={busy}
            disabled={underWay}
            onClick={start}
          >
            {images.open === null ? 'Bilder prüfen' : 'Weitere Bilder prüfen'}
          </Button>
        )}
      </div>
      {!mayRun && (
        <p className="k-muted k-small">Ihre Rolle darf keine Bilder prüfen. Das dürfen: {rolesWith('run')}.</p>
      )}
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {underWay && <RunProgress run={run} lost={lost} onChange={follow} mayCancel={mayRun} />}
    </section>
  );
}
