"use strict";
// The theme: as the system has it, until the reader chooses another. Nothing is stored.
{
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => { button.textContent = dark() ? "Light theme" : "Dark theme"; };
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    tell();
  });
  button.hidden = false;
  tell();
}
