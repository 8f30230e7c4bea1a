/** The first SIGTERM or SIGINT closes the product in order. A second one ends the process at once. */
export function stopOnSignal(running: { close(): Promise<void> }): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    running.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.on('SIGINT', stop);
}
