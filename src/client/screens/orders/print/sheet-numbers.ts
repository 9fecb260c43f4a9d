import { useEffect } from 'react';

/** Name of the printed pages of a slip; its sheets are counted under the same name. */
export const sheetName = (slip: number): string => `slip-${slip}`;

/**
 * Numbers the sheets of each slip while it is on screen. CSS can count the sheets of one slip, but only knows the total of the
 * whole print, which is that of a slip if it is printed alone. A constructed style sheet needs no nonce.
 */
export function useSheetNumbers(slips: number): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    const total = slips === 1 ? `' von ' counter(pages)` : '';
    const rules = Array.from({ length: slips }, (_, slip) => {
      const text = `content: 'Seite ' counter(${sheetName(slip)}) ${total}; color: #52525b; font: 12px sans-serif;`;
      return `@page ${sheetName(slip)} { counter-increment: ${sheetName(slip)}; @bottom-right { ${text} } }`;
    });
    // Empty elements after the last slip belong to its pages; otherwise they would begin an empty one.
    rules.push(`body { page: ${sheetName(slips - 1)}; }`);
    sheet.replaceSync(rules.join('\n'));
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [slips]);
}
