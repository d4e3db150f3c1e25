"""Results that are half written, empty, damaged or not finite: each is one line, and all else is still drawn."""

import pathlib
import tempfile
import unittest
from unittest import mock

import support  # first: it finds the package

import maxwell_dg_results as results
from maxwell_dg_results import figures, plots

HEAD = "frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im\n"
FAR = "".join(f"{f},{t},{p},1,0,1,0,0,1\n" for f in (1e9, 2e9) for p in (0, 180) for t in (0, 90, 180))
FILES = {
    "probes.csv": "time,a b.Ex,a b.Hz\n" + "".join(f"{i}e-10,{i % 3},{i % 5}\n" for i in range(12)),
    "energy.csv": "time,electric,magnetic,total\n" + "".join(f"{i},1,2,3\n" for i in range(4)),
    "balance.csv": "time,total,source.power,source.energy,unaccounted\n" + "".join(f"{i},1,2,3,0\n" for i in range(4)),
    "probe_spectra.csv": "frequency,a.Ex_re,a.Ex_im\n1,2,3\n2,3,4\n",
    "rcs.csv": HEAD + FAR,
    "monostatic.csv": HEAD + FAR,
    "port_waves.csv": "frequency,driven,port,a_re,a_im,b_re,b_im,impedance\n1e9,1,1,1,0,.5,.1,50\n1e9,1,2,1,0,.5,.1,50\n",
    "s_parameters.s2p": "# Hz S RI R 50\n1e9 0.5 0 0.8 0 0.8 0 0.5 0.1\n2e9 0.4 0 0.9 0 0.9 0 0.4 0.1\n",
    "resonances.csv": "probe,field,frequency,q,amplitude,error,doubtful\np,Ex,0.8,inf,1,1e-6,0\n",
}


def with_cells(text, value):
    """A table whose numbers are all replaced by a value."""
    head, *rows = text.splitlines()
    return "\n".join([head, *(",".join([value] * len(row.split(","))) for row in rows)]) + "\n"


class Damaged(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def drawn(self, files, *others):
        """Names of pictures, what was said of the files, and the lines of the error, of a run of these files."""
        run = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name, data in files.items():
            (run / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        said, names, errors = [], [], []
        with mock.patch.object(plots, "save", lambda figure, file: figure.canvas.draw()):
            try:
                names = plots.plot([*others, run], None, said.append)
            except results.ResultsError as error:
                errors = str(error).splitlines()
        notes = [line.removeprefix("note: ") for line in said if line.startswith("note: ")]
        names = names or sorted(pathlib.Path(line.partition(".png")[0]).name for line in said if ".png" in line)
        return names, [line.replace(str(run) + "/", "") for line in notes], [line.replace(str(run) + "/", "") for line in errors]

    def test_a_file_cut_anywhere_is_one_line_or_a_picture_of_its_whole_rows(self):
        for name, text in FILES.items():
            for share in (0.0, 0.05, 0.4, 0.77, 0.98):
                names, notes, errors = self.drawn({name: text[: int(share * len(text))]})
                self.assertLessEqual(len(errors), 1, (name, share, errors))
                self.assertTrue(names or errors, (name, share))

    def test_values_that_are_no_numbers_not_finite_or_too_large_stop_nothing_else(self):
        for name in (name for name in FILES if name.endswith(".csv")):
            for value in ("nan", "-inf", "1e308", "word", ""):
                names, notes, errors = self.drawn({"energy.csv": FILES["energy.csv"], name: with_cells(FILES[name], value)})
                self.assertLessEqual(len(errors), 1, (name, value, errors))
                self.assertTrue(all(name in line for line in errors), (name, value, errors))
                if name != "energy.csv":
                    self.assertIn("energy", names, (name, value))
                if value in ("word", ""):
                    self.assertRegex(errors[0], rf"^{name}:2: there is no number under '\w+'; the file is damaged$")

    def test_a_file_without_rows_is_a_note_and_others_are_drawn(self):
        for name in ("probes.csv", "probe_spectra.csv", "balance.csv", "rcs.csv", "monostatic.csv", "port_waves.csv"):
            names, notes, errors = self.drawn({"energy.csv": FILES["energy.csv"], name: FILES[name].partition("\n")[0] + "\n"})
            self.assertEqual((names, errors), (["energy"], []), name)
            self.assertEqual(notes, [f"{name}: has no rows; the run goes on, or ended early"])

    def test_values_that_are_not_finite_are_counted(self):
        _, notes, errors = self.drawn({"energy.csv": FILES["energy.csv"] + "4,nan,inf,1e200\n"})
        self.assertEqual(errors, [])
        self.assertEqual(notes, ["energy.csv: 3 of its values are not finite numbers, or too large; they are left out"])

    def test_bytes_that_are_no_text_and_directories_in_place_of_files_are_one_line(self):
        for name in FILES:
            _, _, errors = self.drawn({"energy.csv": FILES["energy.csv"], name: b"\xff\xfe\x00"})
            self.assertEqual(len(errors), 1, name)
            self.assertRegex(errors[0], f"^{name}: is no text")
        (self.folder / "run/probes.csv").mkdir(parents=True)
        with self.assertRaisesRegex(results.ResultsError, "probes.csv: cannot be read: Is a directory"):
            plots.plot([self.folder / "run"], say=lambda line: None)

    def test_a_config_or_summary_that_is_damaged_stops_no_picture(self):
        for name in ("config.resolved.yaml", "summary.json"):
            names, _, errors = self.drawn({"energy.csv": FILES["energy.csv"], name: b"\xff\xfe{"})
            self.assertEqual((names, errors), (["energy"], []))
        for text in ('{"error": {"E": {"l2": 1', "[]", "5"):
            names, _, errors = self.drawn({"summary.json": text, "energy.csv": FILES["energy.csv"]}, self.whole())
            self.assertEqual(names, ["comparison_of_energy"], text)
            self.assertEqual(len(errors), 1)
            self.assertRegex(errors[0], "^summary.json: is no (whole JSON|summary)")
        for text in ('{"error": null}', '{"error": {"E": null}}', '{"error": {"E": {"l2": NaN}}, "order": 1, "elements": 2}'):
            names, _, errors = self.drawn({"summary.json": text, "energy.csv": FILES["energy.csv"]}, self.whole())
            self.assertEqual((names, errors), (["comparison_of_energy"], []), text)

    def whole(self):
        """Another run, with energies alone."""
        other = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (other / "energy.csv").write_text(FILES["energy.csv"], encoding="utf-8")
        return other

    def test_names_with_any_letters_are_drawn_as_they_are(self):
        for name in ("a b", "Fühler ü", "$\\frac{$", "$x$", "_p", "50 %", "<&>"):
            text = FILES["probes.csv"].replace("a b", name)
            names, notes, errors = self.drawn({"probes.csv": text})
            self.assertEqual((names, notes, errors), (["probes", "spectra"], [], []), name)
        run = self.folder / "named"
        run.mkdir()
        (run / "resonances.csv").write_text(FILES["resonances.csv"].replace("p,Ex", "_$p$,Ex"), encoding="utf-8")
        axes = figures.resonances_figure(results.open(run)).axes[0]
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], [r"probe _\$p\$, E_x"])

    def test_letters_that_the_font_lacks_are_a_note(self):
        _, notes, errors = self.drawn({"probes.csv": FILES["probes.csv"].replace("a b", "\ue123")})
        self.assertEqual(errors, [])
        self.assertRegex("\n".join(notes), "^Glyph .* missing from")

    def test_a_folder_of_runs_that_were_killed_is_a_sweep(self):
        sweep = self.folder / "sweep"
        for name in ("one", "two ü"):
            (sweep / name).mkdir(parents=True)
            (sweep / name / "config.resolved.yaml").write_text("units: si\n", encoding="utf-8")
            (sweep / name / "energy.csv").write_text(FILES["energy.csv"], encoding="utf-8")
        (sweep / "notes").mkdir()
        self.assertEqual([run.directory.name for run in results.runs_below(sweep)], ["one", "two ü"])
        with mock.patch.object(plots, "save", lambda figure, file: figure.canvas.draw()):
            self.assertEqual(plots.plot([sweep], say=lambda line: None), ["comparison_of_energy"])

    def test_of_a_folder_whose_runs_cannot_be_compared_one_is_to_be_given(self):
        sweep = self.folder / "several"
        (sweep / "one").mkdir(parents=True)
        (sweep / "one" / "config.resolved.yaml").write_text("units: si\n", encoding="utf-8")
        with self.assertRaisesRegex(results.ResultsError, "several: holds runs, such as .*/one; give one of them"):
            plots.plot([sweep], say=lambda line: None)

    def test_a_damaged_snapshot_stops_no_picture_of_the_others(self):
        directory = support.run_cavity(self.folder)
        file = directory / "fields_000001.vtu"
        file.write_bytes(file.read_bytes()[:5000])
        kept = {path.name: path.read_bytes() for path in directory.iterdir() if path.name.startswith("fields")}
        names, _, errors = self.drawn(kept)
        self.assertEqual(names, ["fields", "fields_last", "fields_over_time"])
        self.assertEqual(len(errors), 1)
        self.assertRegex(errors[0], "^fields_000001.vtu: ")
        names, _, errors = self.drawn(kept | {"fields.pvd": b'<VTKFile><Collection><DataSet file="a"/></Collection></VTKFile>'})
        self.assertRegex(errors[0], "^fields.pvd: is damaged: a snapshot has no time or no file")


support.main()
