import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { laterDialog } from '#client/page-load/later-part.tsx';
import './live-components.css';
import { useLiveComponent } from './use-live-component.ts';
import { componentHtml } from './wire.ts';

/** Seldom needed, and its dialog is large. */
const ErrorOverlay = laterDialog(async () => ({ default: (await import('./error-overlay.tsx')).ErrorOverlay }));

/**
 * LVC-01: a piece of the page that the server draws. `html` is what the page's loader got from `liveComponentFirst`, so it stands in
 * the page's first HTML; from then on it belongs to the component and not to React.
 */
export function LiveComponent({ html }: { html: string }) {
  // Made once: another object would be other HTML to React.
  const [first] = useState(() => componentHtml(html));
  const container = useRef<HTMLDivElement>(null);
  const { notice, foreign, closeForeign } = useLiveComponent(container, html);
  // Stays once it was needed: a dialog that is taken away cannot give the focus back.
  const [wanted, setWanted] = useState(false);
  if (foreign.length > 0 && !wanted) setWanted(true);
  return (
    <div className="k-live-place">
      <div ref={container} className="k-live" dangerouslySetInnerHTML={{ __html: first }} />
      <div className="k-live-notice" aria-live="polite">
        {notice !== null && (
          <>
            <span>{notice.text}</span>
            <Button size="compact-sm" variant="default" onClick={notice.go}>
              {notice.button}
            </Button>
          </>
        )}
      </div>
      {wanted && <ErrorOverlay answers={foreign} onClose={closeForeign} />}
    </div>
  );
}
