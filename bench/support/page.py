"""What runs in the page while it is measured."""

# In place of the network, so that nothing but the client is measured: states are fed by hand.
SOCKET = """
(() => {
  globalThis.WebSocket = class {
    readyState = 0;
    constructor() {
      globalThis.socket = this;
      setTimeout(() => { this.readyState = 1; this.onopen?.(); });
    }
    send(text) {
      if (JSON.parse(text).type === 'ping') this.onmessage?.({ data: '{"type":"pong"}' });
    }
    close() {}
  };
})();
"""

# A state has been rendered when the page knows where everything is: script, style and layout. The
# observer is told once the frame has all three, also of what is laid out only once it is in view.
DRAW = """
async (texts) => {
  const frame = () => new Promise(requestAnimationFrame);
  const settled = () => new Promise((done) => {
    const observer = new ResizeObserver(() => {
      performance.mark('drawn');
      observer.disconnect();
      done();
    });
    observer.observe(document.body);
  });
  const took = [];
  for (const text of texts) {
    await frame();
    // Asked for before anyone else can: what is left to later frames is counted from their start.
    let next = frame();
    performance.mark('told');
    socket.onmessage({ data: text });
    await settled();
    let longest = performance.measure('update', 'told', 'drawn').duration;
    for (let later = 0; later < 2; later += 1) {
      await next;
      const begun = performance.now();
      next = frame();
      await settled();
      longest = Math.max(longest, performance.now() - begun);
    }
    took.push(longest);
  }
  return took;
}
"""

# The baseline: the very same page, thrown away and built again from its own text.
REBUILD = """
async (times) => {
  const frame = () => new Promise(requestAnimationFrame);
  const settled = () => new Promise((done) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      done(performance.now());
    });
    observer.observe(document.body);
  });
  const copy = document.createElement('div');
  const html = document.querySelector('.phone').outerHTML;
  document.querySelector('#app').replaceWith(copy);
  const took = [];
  for (let i = 0; i < times; i += 1) {
    await frame();
    const before = performance.now();
    copy.innerHTML = html;
    took.push(await settled() - before);
  }
  return took;
}
"""
