// SPDX-License-Identifier: Apache-2.0
// Charts of bars, as several sections draw them.
"use strict";
Toroid.charts = (() => {
  const {count, time, drawing, redrawer, showTip} = Toroid;
  const LEFT = 66, TOP = 12, BOTTOM = 44, TICK = 84;  // pixels, the last one between labels along the side

  // Draws for the width that there is, and again if it changes. `draw` takes the picture, its width, and what maps a
  // number of packets to a height.
  function chart(target, {height, most, label, across, up}, draw) {
    let drawn = 0;
    const paint = () => {
      const width = Math.max(260, target.clientWidth);
      if (width === drawn) return;
      drawn = width;
      const picture = drawing("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label});
      const tall = (number) => number / most * (height - BOTTOM - TOP);
      const step = stepOf(most, 4);
      for (let value = 0; value <= most; value += step) {
        const y = height - BOTTOM - tall(value);
        picture.append(drawing("line", {class: "grid", x1: LEFT, x2: width, y1: y, y2: y}),
                       drawing("text", {x: LEFT - 8, y: y + 4, "text-anchor": "end"}, count(value)));
      }
      const middle = (height - BOTTOM + TOP) / 2;
      picture.append(
        drawing("text", {class: "across", x: (LEFT + width) / 2, y: height - 4, "text-anchor": "middle"}, across),
        drawing("text", {class: "up", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})`}, up));
      draw(picture, width, tall);
      target.replaceChildren(picture);
    };
    new ResizeObserver(redrawer(paint)).observe(target);
    paint();
  }

  // 1, 2 or 5 times a power of ten, so that there are at most about so many steps; whole where they count something.
  function stepOf(most, steps, least = 1) {
    const rough = most / steps, power = 10 ** Math.floor(Math.log10(Math.max(rough, least)));
    return Math.max(least, [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough * 0.999));
  }

  function hover(shape, text) {
    shape.addEventListener("pointermove", (event) => showTip(event, text));
    shape.addEventListener("pointerleave", (event) => showTip(event, null));
    return shape;
  }

  // Numbers for equal slices of simulated time. `series` are pairs of a colour's name and a number for each slice, one
  // upon the other; `tip` says more of slice number i.
  function overTime(target, {label, up, end, bins, series, tip}) {
    const height = 190, sums = Array.from({length: bins}, (_, i) => series.reduce((sum, [, numbers]) => sum + numbers[i], 0));
    const texts = {label, up, across: "simulated time"}, slice = end / bins;
    chart(target, {height, most: Math.max(1, ...sums), ...texts}, (picture, width, tall) => {
      const step = (width - LEFT) / bins, marks = stepOf(end, (width - LEFT) / TICK, 1e-3);
      for (let i = 0; i < bins; i++) {
        let y = height - BOTTOM;
        for (const [name, numbers] of series) {
          y -= tall(numbers[i]);
          if (numbers[i] > 0) picture.append(drawing("rect", {x: LEFT + i * step, y, width: Math.max(1, step - 1), height: tall(numbers[i]), style: `fill:var(--${name})`}));
        }
        picture.append(hover(drawing("rect", {class: "hit", x: LEFT + i * step, y: 0, width: step, height: height - BOTTOM}),
          `${time(i * slice, (i + 1) * slice)} to ${time((i + 1) * slice)}\n${tip(i)}`));
      }
      for (let at = 0; at < end - marks / 4; at += marks) {
        picture.append(drawing("text", {x: LEFT + at / end * (width - LEFT), y: height - BOTTOM + 17, "text-anchor": "middle"},
                               time(at, end, 4)));
      }
    });
  }

  return {chart, hover, overTime, LEFT, BOTTOM, TICK};
})();
