import type { ReactNode } from 'react';

type ScrollRegionProps = { label: string; className?: string; children: ReactNode };

/** Scrolls content that is wider or longer than its space; keyboards can scroll it, hence the tab stop. */
export function ScrollRegion({ label, className = '', children }: ScrollRegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: a scroll region needs the focus
    <div className={`k-scroll ${className}`} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
