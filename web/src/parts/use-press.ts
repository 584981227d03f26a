import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that runs another at once, or, while a button of the pointer is down, after the click that the release
 * makes. What waits when the part leaves the page does not run.
 */
export function usePress(): (action: () => void) => void {
  const isDown = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const press = () => {
      isDown.current = true;
    };
    const release = () => {
      isDown.current = false;
      // The click follows the release within the same task.
      setTimeout(() => {
        for (const action of waiting.current.splice(0)) action();
      });
    };
    // In the capture phase: nothing on the page can keep an event from it, and it comes before the blur of the field.
    const ends = ['pointerup', 'pointercancel', 'dragend'] as const;
    addEventListener('pointerdown', press, true);
    for (const end of ends) addEventListener(end, release, true);
    return () => {
      removeEventListener('pointerdown', press, true);
      for (const end of ends) removeEventListener(end, release, true);
      waiting.current = [];
    };
  }, []);
  return useCallback((action) => {
    if (isDown.current) waiting.current.push(action);
    else action();
  }, []);
}
